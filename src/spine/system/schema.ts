import { z } from 'zod';

const healthCheckSchema = z.object({
  status: z.enum(['pass', 'warn', 'fail']),
  message: z.string().optional(),
});
export type HealthCheck = z.infer<typeof healthCheckSchema>;

export const healthSchema = z.object({
  status: z.enum(['healthy', 'degraded', 'unhealthy']),
  version: z.string(),
  uptime_seconds: z.number(),
  checks: z.record(z.string(), healthCheckSchema),
});
export type HealthStatus = z.infer<typeof healthSchema>;
