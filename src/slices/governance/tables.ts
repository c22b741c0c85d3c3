import type { TableDeclarations } from '../../spine/storage/tables.ts';
import { callOf, editedOf, inputOf, parametersOf, responseOf } from './sealed.ts';

export const governanceTables: TableDeclarations = {
  governance_atlas_contents: { proof: 'state', key: ['digest'], hashed: ['manifest', 'blocks', 'files'] },
  governance_atlas_loads: { proof: 'state', key: ['load_id'], project: 'project_id' },
  governance_requests: { proof: 'state', key: ['session_id', 'request_id'] },
  governance_resolutions: {
    proof: 'state',
    key: ['resolution_id'],
    project: 'project_id',
    hashed: ['body'],
    sealed: { body: (row) => String(row.resolution_id) },
  },
  governance_inputs: {
    proof: 'state',
    key: ['session_id', 'request_id'],
    project: 'project_id',
    hashed: ['line'],
    sealed: { line: (row) => inputOf(String(row.session_id), String(row.request_id)) },
  },
  governance_calls: {
    proof: 'state',
    key: ['call_id'],
    project: 'project_id',
    hashed: ['line'],
    sealed: { line: (row) => callOf(String(row.call_id)) },
  },
  governance_executions: {
    proof: 'state',
    key: ['execution_id'],
    project: 'project_id',
    volatile: ['lease_us'],
    sealed: {
      parameters: (row) => parametersOf(String(row.execution_id)),
      response: (row) => responseOf(String(row.execution_id)),
    },
  },
  governance_gateway_changes: {
    proof: 'state',
    key: ['item_id'],
    project: 'project_id',
    hashed: ['manifest', 'shown'],
  },
  governance_charges: { proof: 'state', key: ['charge_id'] },
  governance_grants: { proof: 'state', key: ['approval_id'], project: 'project_id' },
  governance_grant_uses: { proof: 'state', key: ['used_by', 'atlas_id', 'policy_id'] },
  governance_approvals: {
    proof: 'state',
    key: ['approval_id'],
    project: 'project_id',
    sealed: {
      parameters: (row) => String(row.approval_id),
      edited_parameters: (row) => editedOf(String(row.approval_id)),
    },
  },
};
