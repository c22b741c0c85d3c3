/** What a stranger's first program with the installed client looks like; `install.test.ts` copies, checks and runs it. */
import { createClient } from '@baton-ledger/client';

const { BATON_URL: url = '', BATON_TOKEN: token = '' } = process.env;
const owner = createClient({ url, token });
await owner.call('atlas.load', {
  manifest: {
    atlas_version: '1.0',
    atlas_id: 'com.example.hello',
    version: '1.0.0',
    name: 'Hello',
    description: 'Lets an agent greet.',
    actions: [{ action_id: 'hello.say', name: 'Greet', description: 'Greets somebody', executor: 'echo' }],
    policies: [{ policy_id: 'greeting', type: 'allow', actions: ['hello.say'] }],
  },
});
await owner.call('memory.profile.create', {});
await owner.call('memory.add', { content: 'Prefers short answers' });
const key = await owner.call('keys.create', { actor_id: 'greeter', actor_type: 'agent' });

const agent = createClient({ url, token: key.token ?? '' });
await agent.call('packages.write', { title: 'Learned to greet' });
const briefing = await agent.call('context.brief', {});
const { session_id } = await agent.call('carp.session.start', { agent_id: 'greeter', goal: 'Greet' });
const envelope = {
  carp_version: '1.0',
  timestamp: new Date().toISOString(),
  requester: { agent_id: 'greeter', session_id },
  task: { goal: 'Greet' },
};
const { resolution_id } = await agent.call('carp.resolve', {
  request: { ...envelope, request_id: crypto.randomUUID(), operation: 'resolve' },
});
const execution = { resolution_id, action_id: 'hello.say', parameters: { name: 'Ada' } };
const { status } = await agent.call('carp.execute', {
  request: { ...envelope, request_id: crypto.randomUUID(), operation: 'execute', execution },
});
const { memories } = await owner.call('memory.recall', { query: 'how long should answers be' });
console.log(JSON.stringify({ briefing, status, recalled: memories.map(({ memory }) => memory.content) }));
