import { defineErrors } from '../../kernel/error.ts';

export const whyErrors = defineErrors({
  nothing_known: {
    status: 404,
    message: 'Nothing you can see has this id.',
    next: 'Give the id of a package, fact, event, resolution, execution, inbox item, memory, turn, task or span; add `--project ID` if it is in another project.',
  },
});
