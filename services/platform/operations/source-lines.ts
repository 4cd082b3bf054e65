import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import path from 'node:path';
import { LRUCache } from 'lru-cache';

/** Some megabytes each. Errors that are logged come in clusters, if at all. */
const KEPT_MS = 60_000;
const maps = new LRUCache<string, SourceMap>({ max: 8, ttl: KEPT_MS, ttlAutopurge: true });

const PLACE = /(?:file:\/\/)?(\/[^\s()]+\/build\/[\w.-]+\.js):(\d+):(\d+)/g;

/** Names the places of a stack in the sources: processes run bundles of them, with a map beside each. */
export function inSources(stack: string): string {
  return stack.replaceAll(PLACE, (place, file: string, line: string, column: string) => {
    const found = mapOf(file)?.findOrigin(Number(line), Number(column));
    if (!found || !('fileName' in found)) return place;
    return `${path.resolve(path.dirname(file), found.fileName)}:${found.lineNumber}:${found.columnNumber}`;
  });
}

function mapOf(file: string): SourceMap | undefined {
  const known = maps.get(file);
  if (known) return known;
  try {
    const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload);
    maps.set(file, map);
    return map;
  } catch {
    return undefined;
  }
}
