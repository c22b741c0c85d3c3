import { isObj, type Obj, present, text } from '../json.ts';

/** 0.3 nests `{taskId, pushNotificationConfig}`, 1.0 writes one flat object and one scheme instead of a list. */
export function pushConfigTo10(config: Obj): Obj {
  const inner = isObj(config.pushNotificationConfig) ? config.pushNotificationConfig : {};
  return present({ taskId: config.taskId, ...settingsTo10(inner) });
}

export function pushConfigTo03(config: Obj): Obj {
  const { taskId, tenant: _, ...inner } = config;
  return present({ taskId, pushNotificationConfig: settingsTo03(inner) });
}

export function settingsTo10(settings: Obj): Obj {
  const { authentication, ...rest } = settings;
  if (!isObj(authentication)) return present(rest);
  const { credentials } = authentication;
  return present({ ...rest, authentication: present({ scheme: schemeOf(authentication), credentials }) });
}

export function settingsTo03(settings: Obj): Obj {
  const { authentication, tenant: _tenant, taskId: _taskId, ...rest } = settings;
  const kept = present({ ...rest, id: text(rest.id), token: text(rest.token) });
  if (!isObj(authentication)) return kept;
  const scheme = schemeOf(authentication);
  return {
    ...kept,
    authentication: present({
      schemes: scheme ? [scheme] : [],
      credentials: text(authentication.credentials),
    }),
  };
}

/** In either spelling: what a client had set is shown to it through a peer of the other version. */
function schemeOf({ scheme, schemes }: Obj): string | undefined {
  return text(scheme) ?? (Array.isArray(schemes) ? text(schemes[0]) : undefined);
}
