import { isDoc, isNonBlank, isText } from '../../../document.ts';
import type { Finding } from './finding.ts';
import { fault, oneOf } from './schema-fault.ts';

export function proposedChangeFindings(changes: unknown): Finding[] {
  if (changes === undefined || changes === null) return [];
  if (!Array.isArray(changes))
    return [fault('proposed_changes', 'proposed_changes is no list.', 'Write a list.')];
  return changes.flatMap((change, index) => {
    const at = `proposed_changes.${index}`;
    if (!isDoc(change)) return [fault(at, `${at} is no object.`, 'Write it as an object.')];
    const findings = oneOf(`${at}.action`, change.action, ['create', 'modify', 'delete']);
    if (!isNonBlank(change.path))
      findings.push(fault(`${at}.path`, 'The change has no path.', 'Name its path.'));
    if (change.action !== 'delete' && !isText(change.content)) {
      findings.push(
        fault(`${at}.content`, 'The change has no content.', 'Give the whole new content of the file.'),
      );
    }
    return findings;
  });
}
