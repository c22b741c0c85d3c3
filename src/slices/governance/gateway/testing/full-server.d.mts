import type { Server } from '@modelcontextprotocol/server';

export function fullServer(): Server;
