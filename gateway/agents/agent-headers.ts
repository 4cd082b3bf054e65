/** Names the session of an agent. */
export const SESSION_HEADER = 'Mcp-Session-Id';

/** What agents send besides the headers of the API. */
export const AGENT_HEADERS = [SESSION_HEADER, 'Mcp-Protocol-Version'];
