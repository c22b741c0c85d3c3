import { defineErrors } from '../kernel/error.ts';

export const appErrors = defineErrors({
  insecure_bind: {
    status: 400,
    message: 'Binding beyond loopback without TLS would send credentials in the clear.',
    next: 'Give --tls-cert and --tls-key, or --behind-proxy when a proxy in front ends TLS.',
  },
  port_in_use: {
    status: 409,
    message: 'Another process listens on this port.',
    next: 'Stop it, or choose another with `--port N` (0 takes a free one).',
  },
  already_running: {
    status: 409,
    message: 'A server is already running on this data directory.',
    next: 'Use it, stop it, or give another directory with `--data DIR`.',
  },
  redaction_unusable: {
    status: 400,
    message: 'The patterns to redact by cannot be used.',
    next: 'Give one regular expression a line in the file of BATON_REDACT_FILE; `details` names the file and the line.',
  },
  data_unusable: {
    status: 500,
    message: 'The data directory cannot be used.',
    next: 'Check that the directory exists, belongs to you and has space left; choose another with `--data DIR`.',
  },
});
