import { z } from 'zod';
import { defineOperations, raw, read, write } from '../../operations/define.ts';
import { oauthGrantListSchema, oauthGrantSchema } from './schema.ts';

const SMALL = 16_384;

export const oauthOperations = defineOperations({
  'oauth.resource': {
    ...raw('ours', 'open'),
    summary: 'Say which authorization server lets clients into MCP (RFC 9728).',
    input: {},
    errors: [],
    http: { method: 'GET', path: '/.well-known/oauth-protected-resource/mcp' },
  },
  'oauth.resource_root': {
    ...raw('ours', 'open'),
    summary: 'The same for clients that look at the root.',
    input: {},
    errors: [],
    http: { method: 'GET', path: '/.well-known/oauth-protected-resource' },
  },
  'oauth.server': {
    ...raw('ours', 'open'),
    summary: 'Describe the authorization server (RFC 8414).',
    input: {},
    errors: ['oauth_elsewhere'],
    http: { method: 'GET', path: '/.well-known/oauth-authorization-server' },
  },
  'oauth.register': {
    ...raw('ours', 'open'),
    summary: 'Register a client (RFC 7591). It can do nothing before a person lets it.',
    input: {},
    errors: ['oauth_elsewhere'],
    http: { method: 'POST', path: '/oauth/register', maxBytes: SMALL },
  },
  'oauth.authorize': {
    ...raw('ours', 'open'),
    summary: 'The page on which a person lets a client in, or not.',
    input: {},
    errors: ['oauth_elsewhere'],
    http: { method: 'GET', path: '/oauth/authorize' },
  },
  'oauth.consent': {
    ...raw('ours', 'open'),
    decides: true,
    summary: 'What the person answered on that page.',
    input: {},
    errors: ['oauth_elsewhere'],
    http: { method: 'POST', path: '/oauth/authorize', maxBytes: SMALL },
  },
  'oauth.token': {
    ...raw('ours', 'open'),
    summary: 'Exchange a code or a refresh token for an access token.',
    input: {},
    errors: ['oauth_elsewhere'],
    http: { method: 'POST', path: '/oauth/token', maxBytes: SMALL },
  },
  'oauth.give_back': {
    ...raw('ours', 'open'),
    summary: 'Give a token back: what was granted with it ends (RFC 7009).',
    input: {},
    errors: ['oauth_elsewhere'],
    http: { method: 'POST', path: '/oauth/revoke', maxBytes: SMALL },
  },
  'oauth.grants': {
    ...read('ours', 'keys:manage'),
    summary: 'List the clients that people let in, newest first.',
    input: {},
    output: oauthGrantListSchema,
    errors: [],
    http: { method: 'GET', path: '/v1/oauth/grants' },
    cli: { command: 'oauth list' },
  },
  'oauth.revoke': {
    ...write('ours', 'keys:manage'),
    decides: true,
    summary: 'End what a person granted to a client, and every token of it.',
    input: { path: z.object({ grant_id: z.string() }) },
    output: oauthGrantSchema,
    errors: ['oauth_grant_not_found'],
    http: { method: 'DELETE', path: '/v1/oauth/grants/{grant_id}' },
    cli: { command: 'oauth revoke', positionals: ['grant_id'] },
  },
});
