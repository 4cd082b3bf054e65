import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { SaringClient } from '#client/index.ts';
import { Documents } from './documents.ts';
import { Market } from './tools/market.ts';
import { compareStocks, lookAtStock, marketToday } from './tools/market-tools.ts';
import { howGoodIsModel, listModels, runModel, whatChanged, whyPicked } from './tools/model-tools.ts';
import {
  findFields,
  howGoodIsScreen,
  myScreens,
  runScreen,
  saveScreen,
  screenChanges,
  simulate,
  tryScreen,
} from './tools/screen-tools.ts';
import { addResources } from './resources.ts';
import { serveTools } from './tools/tool.ts';

const INSTRUCTIONS = `Saring screens the Indonesian equity market (IDX). Tickers have no suffix (BBCA). Always pass on the caveats of an
answer, and say the verdict before any return. A chance is shown beside its base rate, never alone.`;

/** All tools for agents, in the order in which people ask. */
const TOOLS = [
  marketToday,
  lookAtStock,
  compareStocks,
  listModels,
  runModel,
  whyPicked,
  whatChanged,
  howGoodIsModel,
  findFields,
  tryScreen,
  saveScreen,
  myScreens,
  runScreen,
  screenChanges,
  howGoodIsScreen,
  simulate,
];

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
