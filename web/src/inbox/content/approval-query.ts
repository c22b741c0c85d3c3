import type { Operations, Result } from '@baton-ledger/client';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../../api/client.ts';

export type Approval = Result<Operations['approvals.get']>;
export type Parameters = NonNullable<Result<Operations['approvals.get']>['parameters']>;

export const approvalQuery = (id: string) =>
  queryOptions({
    queryKey: ['inbox', 'approval', id],
    queryFn: ({ signal }) => client.call('approvals.get', { approval_id: id }, { signal }),
  });
