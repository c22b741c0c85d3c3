import type { Migration } from '../../spine/storage/migration.ts';

export const contextMigrations: readonly Migration[] = [
  {
    name: 'context/0001-packages',
    statements: (ddl) => [
      `create table packages (
        seq ${ddl.serial},
        project_id ${ddl.text} not null references projects (project_id),
        package_id ${ddl.text} not null,
        original ${ddl.text},
        current ${ddl.text},
        deposit_hash ${ddl.text} not null,
        content_hash ${ddl.text} not null,
        body_hash ${ddl.text} not null,
        status ${ddl.text} not null check (status in ('draft', 'complete', 'awaiting_review', 'revision_requested')),
        review_type ${ddl.text} not null check (review_type in ('none', 'human', 'agent')),
        log_seq ${ddl.int} not null default 0,
        package_type ${ddl.text} not null,
        title ${ddl.text} not null,
        created_at ${ddl.text} not null,
        created_us ${ddl.int} not null,
        author_id ${ddl.text} not null,
        author_type ${ddl.text} not null,
        session_id ${ddl.text},
        significance ${ddl.int} not null,
        handoff ${ddl.int} not null check (handoff in (0, 1)),
        deposited_us ${ddl.int} not null,
        superseded_by ${ddl.text},
        quarantined ${ddl.int} not null default 0 check (quarantined in (0, 1)),
        tombstone ${ddl.text},
        unique (project_id, package_id),
        check ((original is null) = (tombstone is not null))
      ) ${ddl.end}`,
      'create index packages_by_time on packages (project_id, created_us desc, seq desc)',
      'create index packages_by_id on packages (package_id)',
      'create index packages_by_session on packages (session_id, seq) where session_id is not null',
      `create index packages_waiting on packages (project_id, status, created_us) where status <> 'complete'`,
      'create index packages_handing_off on packages (project_id, created_us desc) where handoff = 1',
      `create table package_parents (
        project_id ${ddl.text} not null,
        package_id ${ddl.text} not null,
        position ${ddl.int} not null,
        parent_id ${ddl.text} not null,
        primary key (project_id, package_id, position),
        foreign key (project_id, package_id) references packages (project_id, package_id)
      ) ${ddl.end}`,
      'create index package_children on package_parents (project_id, parent_id)',
      `create table package_questions (
        project_id ${ddl.text} not null,
        package_id ${ddl.text} not null,
        position ${ddl.int} not null,
        question ${ddl.text} not null,
        question_hash ${ddl.text} not null,
        asked_us ${ddl.int} not null,
        primary key (project_id, package_id, position),
        foreign key (project_id, package_id) references packages (project_id, package_id)
      ) ${ddl.end}`,
      'create index package_questions_by_time on package_questions (project_id, asked_us desc)',
      `create table package_resolutions (
        project_id ${ddl.text} not null,
        resolver_id ${ddl.text} not null,
        position ${ddl.int} not null,
        target_id ${ddl.text} not null,
        question_hash ${ddl.text} not null,
        primary key (project_id, resolver_id, position),
        foreign key (project_id, resolver_id) references packages (project_id, package_id)
      ) ${ddl.end}`,
      'create index package_resolutions_by_target on package_resolutions (project_id, target_id, question_hash)',
      `create table package_refs (
        project_id ${ddl.text} not null,
        package_id ${ddl.text} not null,
        position ${ddl.int} not null,
        rel ${ddl.text} not null,
        target_project ${ddl.text} not null,
        target_id ${ddl.text} not null,
        target_hash ${ddl.text},
        primary key (project_id, package_id, position),
        foreign key (project_id, package_id) references packages (project_id, package_id)
      ) ${ddl.end}`,
      'create index package_refs_by_target on package_refs (target_project, target_id)',
      `create table package_reviews (
        project_id ${ddl.text} not null,
        package_id ${ddl.text} not null,
        seq ${ddl.int} not null,
        entry ${ddl.text} not null,
        entry_hash ${ddl.text} not null,
        primary key (project_id, package_id, seq),
        foreign key (project_id, package_id) references packages (project_id, package_id)
      ) ${ddl.end}`,
    ],
  },
  {
    name: 'context/0002-facts',
    statements: (ddl) => [
      `create table facts (
        seq ${ddl.serial},
        project_id ${ddl.text} not null references projects (project_id),
        fact_id ${ddl.text} not null,
        key_hash ${ddl.text} not null,
        subject ${ddl.text} not null,
        predicate ${ddl.text} not null,
        value ${ddl.text} not null,
        wire ${ddl.text} not null,
        valid_from ${ddl.text} not null,
        from_us ${ddl.int} not null,
        valid_to ${ddl.text},
        to_us ${ddl.int},
        created_us ${ddl.int} not null,
        invalidated_by ${ddl.text},
        unique (project_id, fact_id),
        check ((valid_to is null) = (to_us is null)),
        check (to_us is null or to_us >= from_us)
      ) ${ddl.end}`,
      'create unique index facts_one_current on facts (project_id, key_hash) where valid_to is null',
      'create index facts_by_key on facts (project_id, key_hash, from_us)',
      'create index facts_by_time on facts (project_id, from_us desc, seq desc)',
      'create index facts_current on facts (project_id, from_us desc, seq desc) where valid_to is null',
    ],
  },
  {
    name: 'context/0003-blobs-attestations-sessions',
    statements: (ddl) => [
      `create table blobs (
        project_id ${ddl.text} not null references projects (project_id),
        sha256 ${ddl.text} not null,
        size_bytes ${ddl.int} not null,
        media_type ${ddl.text} not null,
        bytes ${ddl.bytes} not null,
        stored_us ${ddl.int} not null,
        primary key (project_id, sha256)
      ) ${ddl.end}`,
      `create table attestations (
        seq ${ddl.serial},
        project_id ${ddl.text} not null,
        package_id ${ddl.text} not null,
        envelope ${ddl.text} not null,
        envelope_hash ${ddl.text} not null,
        unique (project_id, package_id, envelope_hash),
        foreign key (project_id, package_id) references packages (project_id, package_id)
      ) ${ddl.end}`,
      `create table foreign_sessions (
        project_id ${ddl.text} not null references projects (project_id),
        session_id ${ddl.text} not null,
        callsign ${ddl.text},
        line ${ddl.text} not null,
        primary key (project_id, session_id)
      ) ${ddl.end}`,
      'create index foreign_sessions_by_callsign on foreign_sessions (project_id, callsign)',
    ],
  },
  {
    name: 'context/0004-depositors',
    statements: (ddl) => [
      `alter table packages add column depositor_id ${ddl.text}`,
      `alter table packages add column depositor_type ${ddl.text}
        check (depositor_type in ('human', 'agent', 'script'))`,
    ],
  },
  {
    name: 'context/0004-counted-packages',
    statements: (ddl) => [
      // All that lists and counts ask for is in the index, so that a count reads no package: 4 times as fast at 334,000. In
      // PostgreSQL an entry has a largest size, and long texts are stored apart from their row: the row is read there.
      'drop index packages_by_time',
      ddl.engine === 'sqlite'
        ? `create index packages_shown on packages (project_id, created_us desc, seq desc, status, significance,
             quarantined, tombstone, package_type, author_type, author_id)`
        : `create index packages_shown on packages (project_id, created_us desc, seq desc, status, significance)
             where quarantined = 0 and tombstone is null`,
    ],
  },
  {
    name: 'context/0005-by-arrival',
    statements: () => [
      // A page of an export, a sync or a check goes by arrival: without these it sorts the whole project, texts and all.
      'create index packages_by_arrival on packages (project_id, seq)',
      'create index facts_by_arrival on facts (project_id, seq)',
    ],
  },
  {
    // When each fact holds, and since when that is known. Facts that overlapped share the time: the later one begins where it
    // says, and what was believed before ends there. Nobody wrote down when earlier ends became known.
    name: 'context/0006-fact-spans',
    rewrites: ['facts', 'fact_spans'],
    statements: (ddl) => [
      `create table fact_spans (
        span_id ${ddl.serial},
        project_id ${ddl.text} not null,
        key_hash ${ddl.text} not null,
        fact_id ${ddl.text} not null,
        from_us ${ddl.int} not null,
        to_us ${ddl.int},
        known_us ${ddl.int} not null,
        retired_us ${ddl.int},
        searched ${ddl.int} check (searched = 1),
        foreign key (project_id, fact_id) references facts (project_id, fact_id),
        check (to_us is null or to_us > from_us),
        check (retired_us is null or retired_us >= known_us)
      ) ${ddl.end}`,
      `insert into fact_spans (project_id, key_hash, fact_id, from_us, to_us, known_us, searched)
       select project_id, key_hash, fact_id, from_us, end_us, created_us, case when to_us is null then 1 end from (
         select seq, project_id, key_hash, fact_id, from_us, to_us, created_us,
           case when to_us is null or next_us < to_us then next_us else to_us end as end_us
         from (
           select seq, project_id, key_hash, fact_id, from_us, to_us, created_us,
             lead(from_us) over (partition by project_id, key_hash order by from_us, seq) as next_us
           from facts
         ) as ordered
       ) as ended
       where end_us is null or end_us > from_us
       order by seq`,
      // Whoever reads the facts by their own ends must find the same: what overlapped, ends where the next begins.
      `update facts set to_us = s.to_us, invalidated_by = null,
         valid_to = (select max(n.valid_from) from facts as n where n.project_id = s.project_id
           and n.key_hash = s.key_hash and n.from_us = s.to_us)
       from fact_spans as s where s.project_id = facts.project_id and s.fact_id = facts.fact_id
         and s.to_us is not null and (facts.to_us is null or facts.to_us > s.to_us)`,
      `update facts set to_us = from_us, valid_to = valid_from where (to_us is null or to_us > from_us)
         and not exists (select 1 from fact_spans as s where s.project_id = facts.project_id
           and s.fact_id = facts.fact_id)`,
      // Two answers at one instant would need two believed spans that begin together.
      `create unique index fact_spans_one on fact_spans (project_id, key_hash, from_us) where retired_us is null`,
      'create index fact_spans_known on fact_spans (project_id, key_hash, known_us)',
      'create index fact_spans_recent on fact_spans (project_id, from_us desc) where retired_us is null',
      'create index fact_spans_fact on fact_spans (project_id, fact_id)',
      'drop index facts_current',
    ],
  },
  {
    // No two believed spans of one key overlap, whoever writes them: equal beginnings were all that an index could refuse.
    name: 'context/0020-disjoint-spans',
    statements: ({ engine }) => {
      const overlap = `select 1 from fact_spans as other where other.project_id = new.project_id
        and other.key_hash = new.key_hash and other.retired_us is null and other.span_id <> new.span_id
        and (other.to_us is null or other.to_us > new.from_us) and (new.to_us is null or other.from_us < new.to_us)`;
      const touching = 'project_id, key_hash, from_us, to_us, retired_us';
      if (engine === 'sqlite') {
        return ['insert', `update of ${touching}`].map(
          (event, at) => `create trigger fact_spans_disjoint_${at} after ${event} on fact_spans
            when new.retired_us is null and exists (${overlap})
            begin select raise(abort, 'two facts of one subject and predicate at one instant'); end`,
        );
      }
      // The lock makes transactions that cannot see each other's spans wait for one another.
      return [
        `create function fact_spans_disjoint() returns trigger language plpgsql as $$
          begin
            if new.retired_us is null then
              perform pg_advisory_xact_lock(hashtextextended(new.project_id || ' ' || new.key_hash, 0));
              if exists (${overlap}) then
                raise exclusion_violation using message = 'two facts of one subject and predicate at one instant';
              end if;
            end if;
            return null;
          end $$`,
        `create trigger fact_spans_disjoint after insert or update of ${touching} on fact_spans
          for each row execute function fact_spans_disjoint()`,
      ];
    },
  },
  {
    name: 'context/0021-handoffs-in-order',
    statements: () => [
      // In the whole order that they are listed in: SQLite sorted by another index, and read all packages for the few.
      'drop index packages_handing_off',
      `create index packages_handing_off on packages (project_id, created_us desc, seq desc) where handoff = 1`,
    ],
  },
];
