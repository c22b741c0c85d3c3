import { admissionFaults } from '../../config/rules/admission.ts';
import { readConfig } from '../../config/rules/read.ts';
import { validateConfig } from '../../config/rules/validate.ts';
import { inflateConfig } from '../inflate.ts';
import type { Operation } from '../operation.ts';

export const validateConfigOperation: Operation = (args, setup) => {
  const config = inflateConfig(args.config ?? setup.config);
  const faults = validateConfig(config);
  const [first] = faults;
  if (first === undefined)
    return { result: 'success', errors: [], admission: admissionFaults(readConfig(config)) };
  return {
    result: 'error',
    error_type: first.type,
    error_field: first.field,
    message: first.message,
    next: first.next,
    ...first.facts,
    errors: faults,
  };
};
