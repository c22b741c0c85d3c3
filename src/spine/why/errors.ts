import { defineErrors } from '../../kernel/error.ts';

export const whyErrors = defineErrors({
  nothing_known: {
    status: 404,
    message: 'Nothing that you can see has this id.',
    next: 'Give the id of a package, fact, event, resolution, execution, inbox item, memory, turn, task or span; `--project ID` where it is in another one.',
  },
});
