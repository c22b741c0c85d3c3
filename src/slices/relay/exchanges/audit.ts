import type { JsonObject } from '../../../kernel/json/value.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { relayErrors } from '../errors.ts';
import type { RelayDeps } from '../ports.ts';
import type { GateInput } from '../schema.ts';
import type { LiveSpan } from '../spans/live-span.ts';
import { redactValue } from '../spans/redact.ts';
import type { Tracer } from '../spans/tracer.ts';

/** One call of a person or an agent, as the journal names it. */
export interface AuditedVerb {
  readonly verb: string;
  readonly target: string;
  readonly sessionId: string | undefined;
  /** The arguments that are names or ids; never what was said. */
  readonly names: Readonly<Record<string, string | undefined>>;
}

export interface AdmittedCall {
  end(outcome: 'ok' | 'failed' | 'left'): Promise<void>;
}

const SAFE_NAME = /^[\w.:@/#-]{1,256}$/;

export interface Audit {
  /** Records what the repository's own gate decided about a verb; throws if it denied it. */
  gate(principal: Principal, decision: GateInput): Promise<void>;
  /**
   * One row before the call and one after it, whatever comes of it; a refusal is a row too. The span ends with the
   * second row: `admit` is followed by `end`, in any case.
   */
  admit(principal: Principal, verb: AuditedVerb, span: LiveSpan): Promise<AdmittedCall>;
  /** `admit`, the work, `end`. */
  around<T>(principal: Principal, verb: AuditedVerb, span: LiveSpan, work: () => Promise<T>): Promise<T>;
}

export interface AuditDeps extends Pick<RelayDeps, 'db' | 'clock' | 'record'> {
  readonly tracer: Tracer;
}

export function createAudit(deps: AuditDeps): Audit {
  const { db, clock, tracer } = deps;

  function record(principal: Principal, type: string, payload: JsonObject): Promise<unknown> {
    return db.write((uow) =>
      deps.record(uow, { projectId: principal.defaultProject, actor: principal.actor, type, payload }),
    );
  }

  async function admit(
    principal: Principal,
    { verb, target, sessionId, names }: AuditedVerb,
    span: LiveSpan,
  ): Promise<AdmittedCall> {
    const began = clock.now();
    const given = Object.fromEntries(Object.entries(names).filter(([, name]) => name !== undefined));
    const common = { verb, session_id: sessionId ?? null, trace_id: span.context.traceId };
    const odd = Object.values(names).find((name) => name !== undefined && !SAFE_NAME.test(name));
    if (odd !== undefined) {
      await record(principal, 'operator.denied', { ...common, rule: 'names', target: '' });
      throw relayErrors.verb_denied({ details: { name: odd.slice(0, 64) } });
    }
    const row = { ...common, target, arguments: redactValue(given) as JsonObject };
    await record(principal, 'operator.allowed', { ...row, rule: 'names' });
    return {
      async end(outcome) {
        const duration = Math.round((clock.now() - began) / 1000);
        tracer.end(principal.defaultProject, span);
        await record(principal, 'operator.ended', { ...common, target, outcome, duration_ms: duration });
      },
    };
  }

  async function around<T>(
    principal: Principal,
    verb: AuditedVerb,
    span: LiveSpan,
    work: () => Promise<T>,
  ): Promise<T> {
    const admitted = await admit(principal, verb, span);
    try {
      const done = await work();
      await admitted.end('ok');
      return done;
    } catch (error) {
      span.fail((error as Error).message);
      await admitted.end('failed');
      throw error;
    }
  }

  return {
    admit,
    around,
    async gate(principal, { verb, decision, rule, reason, arguments: given = {}, commit }) {
      const type = decision === 'allow' ? 'operator.allowed' : 'operator.denied';
      const row = { verb, rule: `gate:${rule}`, arguments: redactValue(given) as JsonObject };
      await record(principal, type, { ...row, commit: commit ?? null });
      if (decision === 'deny')
        throw relayErrors.verb_denied({
          message: reason,
          next: 'Change .baton/verbs.json of the repository, or do what it asks for.',
          details: { rule },
        });
    },
  };
}
