import { compareDecimals, decimalOf } from '../decimal.ts';
import { listedIn, readFactList, trustedFact } from './fact-key.ts';
import type { Operator } from './operator.ts';
import { some } from './outcome.ts';
import { equals, isNumber } from './values.ts';

export const FACT_OPERATORS = {
  in_fact: {
    judges: ['string', 'number', 'integer'],
    operand: 'fact',
    summary:
      'is on the list that a current fact of the project holds: a JSON array, or names between commas or line ends. Only a fact that a person asserted counts, or one of the actors in `by`',
    example: { subject: 'customers', predicate: 'trusted' },
    make: (operand) => {
      const list = readFactList(operand);
      if (!list)
        return 'needs {"subject": …, "predicate": …}, and "by": […] where others than people may write it';
      return (value, { facts }) => {
        if (value === undefined) return false;
        const fact = trustedFact(facts, list);
        if (!fact || (typeof value !== 'string' && !isNumber(value))) return 'unclear';
        const listed = listedIn(fact.value);
        if (typeof value === 'string') return some(listed, (each) => equals(value, each));
        const wanted = decimalOf(value);
        if (!wanted) return 'unclear';
        return listed.some((each) => {
          const other = decimalOf(each);
          return other !== undefined && compareDecimals(other, wanted) === 0;
        });
      };
    },
  },
} satisfies Record<string, Operator>;
