import { asRecord, asText, isRecord, type LooseRecord, present } from '../../../../kernel/json/loose.ts';

/** 0.3 nests `{taskId, pushNotificationConfig}`, 1.0 writes one flat object and one scheme instead of a list. */
export function pushConfigTo10(config: LooseRecord): LooseRecord {
  const inner = asRecord(config.pushNotificationConfig);
  return present({ taskId: config.taskId, ...settingsTo10(inner) });
}

export function pushConfigTo03(config: LooseRecord): LooseRecord {
  const { taskId, tenant: _, ...inner } = config;
  return present({ taskId, pushNotificationConfig: settingsTo03(inner) });
}

export function settingsTo10(settings: LooseRecord): LooseRecord {
  const { authentication, ...rest } = settings;
  if (!isRecord(authentication)) return present(rest);
  const { credentials } = authentication;
  return present({ ...rest, authentication: present({ scheme: schemeOf(authentication), credentials }) });
}

export function settingsTo03(settings: LooseRecord): LooseRecord {
  const { authentication, tenant: _tenant, taskId: _taskId, ...rest } = settings;
  const kept = present({ ...rest, id: asText(rest.id), token: asText(rest.token) });
  if (!isRecord(authentication)) return kept;
  const scheme = schemeOf(authentication);
  return {
    ...kept,
    authentication: present({
      schemes: scheme ? [scheme] : [],
      credentials: asText(authentication.credentials),
    }),
  };
}

/** In either spelling: what a client had set is shown to it through a peer of the other version. */
function schemeOf({ scheme, schemes }: LooseRecord): string | undefined {
  return asText(scheme) ?? (Array.isArray(schemes) ? asText(schemes[0]) : undefined);
}
