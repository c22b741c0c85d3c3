/** The SDK's HTTP+JSON server, of both versions: it imports express, and is given what it needs of it. */
import { register } from 'node:module';
import { createRouter, parseBodies } from './small-express.ts';

const GIVEN = 'baton.test.express';
const standIn = `data:text/javascript,export default globalThis[Symbol.for('${GIVEN}')]`;
const hooks = `export async function resolve(specifier, context, next) {
  if (specifier !== 'express') return next(specifier, context);
  return { url: ${JSON.stringify(standIn)}, format: 'module', shortCircuit: true };
}`;

export async function loadSdkRest() {
  const given = Symbol.for(GIVEN);
  if (!(given in globalThis)) {
    Object.assign(globalThis, { [given]: { Router: createRouter, json: parseBodies } });
    register(`data:text/javascript,${encodeURIComponent(hooks)}`);
  }
  return import('@a2a-js/sdk/server/express');
}
