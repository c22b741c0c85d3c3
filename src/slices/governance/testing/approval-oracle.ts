/**
 * For tests: what governance must answer, written from the rules on paper and with nothing of the code under test. It keeps
 * plain lists and looks through all of them every time.
 */

export type Tier = 'low' | 'medium' | 'high' | 'critical';
export const TIERS: readonly Tier[] = ['low', 'medium', 'high', 'critical'];
export type Covers = 'call' | 'action' | 'session' | 'rule';

export interface OraclePolicy {
  readonly id: string;
  readonly type: 'allow' | 'deny' | 'require_approval' | 'rate_limit';
  readonly actions: readonly string[];
  /** Only for amounts above this. */
  readonly above: number | undefined;
  readonly agents: readonly string[] | undefined;
  readonly approvers: readonly string[] | undefined;
  readonly covers: 'call' | 'session' | 'rule' | undefined;
  readonly noteMayDiffer: boolean;
  /** How many people have to agree. */
  readonly quorum: number;
  readonly maxCalls: number;
}

export interface OracleCall {
  readonly action: string;
  readonly amount: number;
  readonly note: string;
  readonly tier: Tier;
}

export interface OracleCredential {
  readonly actor: string;
  readonly human: boolean;
  readonly speaksFor: readonly string[];
}

export interface OracleSession {
  readonly agent: string;
  readonly owner: string;
}

interface Question {
  readonly policy: OraclePolicy;
  readonly version: number;
  readonly session: OracleSession;
  readonly actions: readonly string[];
  /** Undefined where it was named before the parameters were known. */
  readonly call: OracleCall | undefined;
  readonly tier: Tier;
  readonly asker: string;
  expires: number;
  state: 'offered' | 'asked' | 'rejected' | 'approved' | 'superseded';
  /** Of those who agreed while others still had to. */
  readonly votes: { readonly by: string; readonly choice: Covers }[];
  decided: { readonly by: string; readonly choice: Covers | undefined } | undefined;
}

interface Grant {
  readonly id: string;
  readonly question: Question;
  readonly covers: Covers;
  /** All who agreed. */
  readonly by: readonly string[];
  readonly expires: number;
  spent: boolean;
  revoked: boolean;
}

export type Outcome =
  | { readonly kind: 'lie' | 'deny' | 'limit' | 'replay' }
  | { readonly kind: 'success'; readonly by: readonly Covers[]; readonly people: number }
  | { readonly kind: 'pending'; readonly policies: readonly string[] };

const APPROVAL_SECONDS = 3600;
const RISK: Readonly<Record<string, Tier>> = { 'x.low': 'low', 'x.mid': 'medium', 'x.high': 'high' };
const rank = (tier: Tier) => TIERS.indexOf(tier);
const most = (...tiers: Tier[]) => tiers.reduce((a, b) => (rank(a) >= rank(b) ? a : b));

/** `*` only at the end, which is all that the generated names use. */
function names(globs: readonly string[], name: string): boolean {
  return globs.some((glob) => (glob.endsWith('*') ? name.startsWith(glob.slice(0, -1)) : glob === name));
}

export class ApprovalOracle {
  policies: readonly OraclePolicy[];
  version = 0;
  now = 0;
  readonly questions = new Map<string, Question>();
  readonly grants: Grant[] = [];
  private readonly calls: { readonly key: string; readonly at: number }[] = [];
  private readonly keys = new Map<string, string>();

  constructor(policies: readonly OraclePolicy[]) {
    this.policies = policies;
  }

  mayOpen({ actor, speaksFor }: OracleCredential, agent: string): boolean {
    return agent === actor || names(speaksFor, agent);
  }

  private speaks(credential: OracleCredential, session: OracleSession, claimed: string): boolean {
    return (
      (credential.actor === session.owner || names(credential.speaksFor, session.owner)) &&
      claimed === session.agent &&
      this.mayOpen(credential, session.agent)
    );
  }

  tierOf(action: string, ...claimed: Tier[]): Tier {
    return most(RISK[action] ?? 'low', ...claimed);
  }

  private matching(type: OraclePolicy['type'], agent: string, call: OracleCall): OraclePolicy[] {
    return this.policies.filter(
      (policy) =>
        policy.type === type &&
        policy.actions.includes(call.action) &&
        (policy.agents === undefined || names(policy.agents, agent)) &&
        (policy.above === undefined || call.amount > policy.above),
    );
  }

  /** Only what its resolution lists may run, and that was made without parameters: a rule on them did not count yet. */
  private isResolved(agent: string, call: OracleCall): boolean {
    const counted = (type: OraclePolicy['type']) =>
      this.matching(type, agent, call).some(({ above }) => above === undefined);
    return !counted('deny') && (counted('allow') || counted('require_approval'));
  }

  /** The answer to an execute, and what it changes. */
  execute(
    credential: OracleCredential,
    session: OracleSession,
    claimed: string,
    call: OracleCall,
    key: string | undefined,
  ): Outcome {
    if (!this.speaks(credential, session, claimed)) return { kind: 'lie' };
    const kept = key === undefined ? undefined : `${this.sessionKey(session)} ${call.action} ${key}`;
    const content = JSON.stringify([call.amount, call.note]);
    const earlier = kept === undefined ? undefined : this.keys.get(kept);
    if (earlier !== undefined) return earlier === content ? { kind: 'replay' } : { kind: 'lie' };
    if (!this.isResolved(session.agent, call)) return { kind: 'deny' };
    if (this.matching('deny', session.agent, call).length > 0) return { kind: 'deny' };
    const asking = this.matching('require_approval', session.agent, call);
    if (asking.length === 0 && this.matching('allow', session.agent, call).length === 0)
      return { kind: 'deny' };
    const used: Grant[] = [];
    const missing: string[] = [];
    for (const policy of asking) {
      const grant = this.grantFor(policy, credential, session, call);
      if (grant) used.push(grant);
      else missing.push(policy.id);
    }
    if (missing.length > 0) return { kind: 'pending', policies: missing };
    const limits = this.matching('rate_limit', session.agent, call);
    for (const { id, maxCalls } of limits) {
      const before = this.calls.filter(({ key: of }) => of === `${id} ${session.agent} ${call.action}`);
      if (before.length >= maxCalls) return { kind: 'limit' };
    }
    for (const { id } of limits)
      this.calls.push({ key: `${id} ${session.agent} ${call.action}`, at: this.now });
    for (const grant of used) if (grant.covers === 'call' || grant.covers === 'action') grant.spent = true;
    if (kept !== undefined) this.keys.set(kept, content);
    const people = Math.max(0, ...used.map(({ by }) => by.length));
    return { kind: 'success', by: used.map(({ covers }) => covers), people };
  }

  private readonly sessionNames = new Map<OracleSession, number>();
  private sessionKey(session: OracleSession): number {
    const known = this.sessionNames.get(session) ?? this.sessionNames.size;
    this.sessionNames.set(session, known);
    return known;
  }

  private grantFor(
    policy: OraclePolicy,
    credential: OracleCredential,
    session: OracleSession,
    call: OracleCall,
  ): Grant | undefined {
    for (const covers of ['rule', 'session', 'call', 'action'] as const) {
      const found = this.grants.find(
        (grant) =>
          grant.covers === covers &&
          grant.question.policy === policy &&
          grant.question.version === this.version &&
          !grant.spent &&
          !grant.revoked &&
          !grant.by.includes(credential.actor) &&
          (covers === 'rule'
            ? grant.question.session.agent === session.agent
            : grant.question.session === session && grant.expires > this.now) &&
          grant.question.actions.includes(call.action) &&
          rank(call.tier) <= rank(grant.question.tier) &&
          this.sameParameters(grant, call),
      );
      if (found) return found;
    }
    return undefined;
  }

  private sameParameters({ covers, question }: Grant, call: OracleCall): boolean {
    const { policy, call: seen } = question;
    if (covers === 'action') return true;
    if (covers !== 'call' && !policy.noteMayDiffer) return true;
    return seen !== undefined && isSameCall(policy, seen, call);
  }

  /** An execute named this approval for this policy. */
  asked(
    id: string,
    policyId: string,
    asker: string,
    session: OracleSession,
    call: OracleCall,
  ): string | undefined {
    const policy = this.policies.find((each) => each.id === policyId);
    if (!policy) return 'names a policy that does not ask';
    const known = this.questions.get(id);
    if (known && known.state === 'asked') {
      const settles =
        known.policy === policy &&
        known.version === this.version &&
        known.session === session &&
        known.asker === asker &&
        known.actions.includes(call.action) &&
        known.tier === call.tier &&
        known.expires > this.now &&
        // One of several has agreed to any call of the action, before there was one.
        (known.call === undefined || isSameCall(policy, known.call, call));
      return settles ? undefined : 'is about something else';
    }
    if (known && (known.state !== 'offered' || known.actions.length > 1))
      return 'is closed or about more actions';
    this.questions.set(id, {
      policy,
      version: this.version,
      session,
      actions: [call.action],
      call,
      tier: call.tier,
      asker,
      expires: this.now + APPROVAL_SECONDS,
      state: 'asked',
      votes: [],
      decided: undefined,
    });
    return undefined;
  }

  /** A resolution named this approval; null where the policy may only be asked at execute. */
  offered(
    id: string | null,
    policyId: string,
    actions: readonly string[],
    tier: Tier,
    asker: string,
    session: OracleSession,
  ): string | undefined {
    const policy = this.policies.find((each) => each.id === policyId);
    if (!policy) return 'names a policy that does not ask';
    const ahead =
      policy.above === undefined ? actions.filter((each) => rank(this.tierOf(each, tier)) < 2) : [];
    if ((id === null) !== (ahead.length === 0)) return `is ${id}, for ${ahead.length} actions ahead`;
    if (id === null || this.questions.has(id)) return undefined;
    this.questions.set(id, {
      policy,
      version: this.version,
      session,
      actions: ahead,
      call: undefined,
      tier: most(...ahead.map((each) => this.tierOf(each, tier))),
      asker,
      expires: this.now + APPROVAL_SECONDS,
      state: 'offered',
      votes: [],
      decided: undefined,
    });
    return undefined;
  }

  /** Whether nothing about this person stands in the way. */
  mayDecide(id: string, by: OracleCredential): boolean {
    const question = this.questions.get(id);
    return (
      question !== undefined &&
      by.human &&
      by.actor !== question.asker &&
      by.actor !== question.session.agent &&
      (question.policy.approvers === undefined || names(question.policy.approvers, by.actor))
    );
  }

  /** The status that a decision gets, and what it changes. */
  decide(
    id: string,
    by: OracleCredential,
    said: {
      readonly approve: boolean;
      readonly covers: Covers | undefined;
      readonly approver: string | undefined;
    },
  ): number {
    const question = this.questions.get(id);
    if (!question) return 404;
    if (!by.human) return 403;
    if (said.approver !== undefined && said.approver !== by.actor) return 403;
    const choices = this.choices(question);
    const choice = said.approve ? (said.covers ?? choices[0]) : undefined;
    if (question.decided) {
      const { by: first, choice: chosen } = question.decided;
      const approved = question.state === 'approved';
      // A rejection leaves nothing to choose, so that `covers` beside it is not part of what was said.
      return first === by.actor && approved === said.approve && chosen === choice ? 200 : 409;
    }
    if (question.state === 'superseded') return 409;
    if (question.expires <= this.now) return 410;
    if (!this.mayDecide(id, by)) return 403;
    if (said.covers !== undefined && (!said.approve || !choices.includes(said.covers))) return 400;
    if (!said.approve) {
      question.state = 'rejected';
      question.decided = { by: by.actor, choice: undefined };
      return 200;
    }
    const covers = choice as Covers;
    const { votes, policy } = question;
    if (votes.some((vote) => vote.by === by.actor)) return 200;
    const isLast = votes.length + 1 >= policy.quorum;
    if (isLast && question.version !== this.version) return 409;
    // However late an offer is taken up, it holds as long as the rule says from then on.
    if (question.state === 'offered') question.expires = this.now + APPROVAL_SECONDS;
    if (!isLast) {
      question.state = 'asked';
      votes.push({ by: by.actor, choice: covers });
      return 200;
    }
    const chosen = [covers, ...votes.map((vote) => vote.choice)];
    const least = choices.find((each) => chosen.includes(each)) ?? covers;
    question.state = 'approved';
    question.decided = { by: by.actor, choice: least };
    const grant = {
      id,
      question,
      covers: least,
      by: [by.actor, ...votes.map((vote) => vote.by)],
      expires: question.expires,
      spent: false,
      revoked: false,
    };
    this.grants.push(grant);
    if (least === 'session' || least === 'rule') this.settleOthers(grant);
    return 200;
  }

  choicesOf(id: string): Covers[] {
    const question = this.questions.get(id);
    return question ? this.choices(question) : [];
  }

  private choices({ policy, call, tier }: Question): Covers[] {
    const least: Covers = call === undefined ? 'action' : 'call';
    if (call === undefined && policy.noteMayDiffer) return [least];
    if (policy.covers === 'rule') return rank(tier) < 2 ? [least, 'session', 'rule'] : [least, 'session'];
    return policy.covers === 'session' ? [least, 'session'] : [least];
  }

  private settleOthers(grant: Grant): void {
    const { question } = grant;
    for (const other of this.questions.values()) {
      const inReach =
        grant.covers === 'rule'
          ? other.session.agent === question.session.agent
          : other.session === question.session;
      if (
        other !== question &&
        other.state === 'asked' &&
        other.expires > this.now &&
        inReach &&
        !grant.by.includes(other.asker) &&
        other.policy === question.policy &&
        other.version === question.version &&
        other.actions.every((action) => question.actions.includes(action)) &&
        rank(other.tier) <= rank(question.tier) &&
        (other.call === undefined ? !question.policy.noteMayDiffer : this.sameParameters(grant, other.call))
      )
        other.state = 'superseded';
    }
  }

  revoke(id: string, by: OracleCredential): number {
    if (!by.human) return 403;
    const grant = this.grants.find((each) => each.id === id);
    if (!grant) return 404;
    grant.revoked = true;
    return 200;
  }

  /** What can still be used, whoever may use it. */
  live(): string[] {
    return this.grants
      .filter(
        ({ spent, revoked, covers, expires }) =>
          !spent && !revoked && (covers === 'rule' || expires > this.now),
      )
      .map(({ id }) => id)
      .sort();
  }
}

function isSameCall({ noteMayDiffer }: OraclePolicy, one: OracleCall, other: OracleCall): boolean {
  return (
    one.action === other.action && one.amount === other.amount && (noteMayDiffer || one.note === other.note)
  );
}
