import { z } from 'zod';
import { defineOperations, outside, write } from '../../../spine/operations/define.ts';
import { answerQuery, newQuestionSchema, questionSchema } from './schema.ts';

export const questionOperations = defineOperations({
  'questions.ask': {
    ...write('ours', 'packages:write'),
    summary:
      'Ask a person a question; it waits in their inbox, and is an open question of the project until then.',
    description:
      'The same open question again returns the first. The answer becomes a package of the person.',
    input: { body: newQuestionSchema },
    output: questionSchema,
    errors: ['project_not_found', 'project_archived', 'secret_found'],
    http: { method: 'POST', path: '/v1/questions', status: 201 },
    mcp: { tool: 'questions', action: 'ask' },
  },
  'questions.answer': {
    ...outside('ours', 'packages:read'),
    summary: 'Read the answer to a question, or wait for it.',
    input: { path: z.object({ question_id: z.string() }), query: answerQuery },
    output: questionSchema,
    errors: ['question_not_found', 'project_not_found'],
    http: { method: 'GET', path: '/v1/questions/{question_id}' },
    mcp: { tool: 'questions', action: 'answer' },
  },
});
