import { describe, expect, it } from 'vitest';
import { readRelayBind, readRelaySettings } from './settings.ts';

describe('the settings of the relay', () => {
  it('have defaults', () => {
    expect(readRelaySettings({})).toMatchObject({
      peers: {},
      starEnforce: false,
      tracePolicy: 'continue',
      content: { mode: 'redacted' },
      exportUrl: undefined,
      timeoutSeconds: 120,
    });
    expect(readRelaySettings({ BATON_RELAY_SEMCONV: '' }).profiles.size).toBe(3);
  });

  it('are read under the names that other relays and OpenTelemetry use', () => {
    expect(
      readRelaySettings({
        OTEL_A2A_RELAY_PEERS: ' A=http://a:1/ , nonsense, B = https://b/x?y=z',
        OTEL_A2A_RELAY_STAR_ENFORCE: 'Yes',
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318//',
        OTEL_EXPORTER_OTLP_HEADERS: 'Api-Key=a%20b',
      }),
    ).toMatchObject({
      peers: { A: 'http://a:1/', B: 'https://b/x?y=z' },
      starEnforce: true,
      exportUrl: 'http://collector:4318/v1/traces',
      exportHeaders: { 'api-key': 'a b' },
    });
    expect(readRelaySettings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'phoenix' }).exportUrl).toBe(
      'http://localhost:6006/v1/traces',
    );
    expect(
      readRelaySettings({
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://base',
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://exact/traces',
      }).exportUrl,
    ).toBe('http://exact/traces');
  });

  it('say where a relay of its own listens', () => {
    expect(readRelayBind({})).toEqual({ host: '127.0.0.1', port: 8080 });
    expect(readRelayBind({ OTEL_A2A_RELAY_HOST: '::1', OTEL_A2A_RELAY_PORT: '0' })).toEqual({
      host: '::1',
      port: 0,
    });
    expect(() => readRelayBind({ OTEL_A2A_RELAY_PORT: '80 80' })).toThrow('OTEL_A2A_RELAY_PORT');
  });

  it.each([
    ['OTEL_A2A_RELAY_PEERS', 'A=not an address'],
    ['OTEL_A2A_RELAY_PEERS', 'A=ftp://a'],
    ['OTEL_A2A_RELAY_PEERS', 'a b=http://a'],
    ['OTEL_A2A_RELAY_STAR_ENFORCE', 'perhaps'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', '/v1/traces'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%zz'],
    ['BATON_RELAY_TRACE_POLICY', 'maybe'],
    ['BATON_RELAY_CONTENT', 'all'],
    ['BATON_RELAY_SEMCONV', 'o2r,otel'],
    ['BATON_RELAY_TIMEOUT_SECONDS', 'soon'],
    ['BATON_RELAY_MAX_CONCURRENT', '0'],
  ])('that cannot be meant are refused by name: %s=%s', (name, value) => {
    expect(() => readRelaySettings({ [name]: value })).toThrow(name);
  });
});
