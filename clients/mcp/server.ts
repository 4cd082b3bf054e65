import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { SaringClient } from '#client/index.ts';
import { Documents } from './documents.ts';
import { Market } from './tools/market.ts';
import { addResources } from './resources.ts';
import { serveTools } from './tools/tool.ts';
import { TOOLS } from './tools/tools.ts';

const INSTRUCTIONS = `Saring screens the Indonesian equity market (IDX). Tickers have no suffix (BBCA). Always pass on the caveats of an
answer, and say the verdict before any return. A chance is shown beside its base rate, never alone.`;

/** Whose screens and runs they are when an agent does not say for whom it asks. */
export const DEFAULT_END_USER = 'agent';

interface ServerOptions {
  saring: SaringClient;
  /** The address of the gateway, which serves the documents too. */
  baseUrl: string;
  version: string;
  /** Several servers of one market share what is known of it. */
  market?: Market;
}

/** A server of the Model Context Protocol that answers with what the client's key may see and do, for the client's end user. */
export function mcpServer({ saring, baseUrl, version, market = new Market() }: ServerOptions): McpServer {
  const server = new McpServer({ name: 'saring', title: 'Saring', version }, { instructions: INSTRUCTIONS });
  serveTools(server.server, TOOLS, { saring, market });
  addResources(server, saring, new Documents(baseUrl));
  return server;
}
