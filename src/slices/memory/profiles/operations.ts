import { defineOperations, read, write } from '../../../spine/operations/define.ts';
import { at, missing } from '../declare.ts';
import * as s from '../schema.ts';

export const profileOperations = defineOperations({
  'memory.profile.create': {
    ...write('ours', 'memory:own'),
    decides: true,
    summary: 'Create your own memory profile.',
    input: { body: s.newProfile },
    output: s.profileView,
    errors: ['memory_profile_exists', 'project_not_found', 'project_archived', 'A2P002', 'A2P010'],
    http: at('POST', '/profiles', 201),
    cli: { command: 'memory create' },
  },
  'memory.profile.list': {
    ...read('ours', 'memory:own'),
    summary: 'List the memory profiles that you keep.',
    input: {},
    output: s.profileList,
    errors: [],
    http: at('GET', '/profiles'),
    cli: { command: 'memory profiles' },
  },
  'memory.profile.settings': {
    ...write('ours', 'memory:own'),
    decides: true,
    summary: 'Set how the profile approves, merges, promotes and forgets.',
    input: { query: s.inProfile, body: s.settingsSchema },
    output: s.done,
    errors: [...missing],
    http: at('PUT', '/settings'),
  },
});
