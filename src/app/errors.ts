import { defineErrors } from '../kernel/error.ts';

export const appErrors = defineErrors({
  insecure_bind: {
    status: 400,
    message: 'Binding to an address other than loopback without TLS would send credentials in the clear.',
    next: 'Pass --tls-cert and --tls-key, or --behind-proxy if a proxy terminates TLS.',
  },
  port_in_use: {
    status: 409,
    message: 'Another process is listening on this port.',
    next: 'Stop it, or choose another port with `--port N` (0 picks a free one).',
  },
  already_running: {
    status: 409,
    message: 'A server is already running on this data directory.',
    next: 'Use it, stop it, or choose another directory with `--data DIR`.',
  },
  settings_invalid: {
    status: 400,
    message: 'A setting is wrong.',
    next: 'Correct or unset what the message names; docs/operations.md lists all settings.',
  },
  too_few_files: {
    status: 500,
    message: 'This process may not open enough files.',
    next: 'Raise the limit before starting: `ulimit -n 1024`, or LimitNOFILE= in the systemd unit.',
  },
  tls_unusable: {
    status: 400,
    message: 'The certificate or its key cannot be used.',
    next: 'Check the files of BATON_TLS_CERT, BATON_TLS_KEY and BATON_TLS_CLIENT_CA: PEM, readable by this user, and of one pair.',
  },
  redaction_unusable: {
    status: 400,
    message: 'The redaction patterns are invalid.',
    next: 'Put one regular expression per line in the file named by BATON_REDACT_FILE; `details` gives the file and line.',
  },
  data_unusable: {
    status: 500,
    message: 'The data directory cannot be used.',
    next: 'Check that the directory exists, belongs to you and has space left; choose another with `--data DIR`.',
  },
});
