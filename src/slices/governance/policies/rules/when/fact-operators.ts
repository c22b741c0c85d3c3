import { JsonNumber } from '../../../../../kernel/json/value.ts';
import { listedIn, readFactList, trustedFact } from './fact-key.ts';
import type { Operator } from './operator.ts';
import { isNumber } from './values.ts';

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
        return listedIn(fact.value).includes(value instanceof JsonNumber ? value.lexeme : String(value));
      };
    },
  },
} satisfies Record<string, Operator>;
