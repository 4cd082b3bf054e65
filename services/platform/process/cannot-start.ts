const FIRST_LINE = /^saring (\S+) cannot start: (.+)/;
/** The next entry of a log, which is not a part of the reason. */
const ENTRY = /^\{"/;
const READY = /"service":"([^"]+)".*"msg":"ready"/;

/** What a service prints on standard error when it cannot start. The reason may have several lines. */
export function cannotStartText(service: string, error: unknown): string {
  return `saring ${service} cannot start: ${error instanceof Error ? error.message : String(error)}`;
}

/** The services that could not start, from the lines of their log: those of which no later start succeeded. */
export function cannotStart(lines: string[]): { service: string; reason: string; whole: string }[] {
  const failures = new Map<string, string[]>();
  let open: string[] | undefined;
  for (const line of lines) {
    const [, failed] = FIRST_LINE.exec(line) ?? [];
    if (failed) failures.set(failed, (open = [line]));
    else if (ENTRY.test(line)) open = undefined;
    else open?.push(line);
    const [, started] = READY.exec(line) ?? [];
    if (started) failures.delete(started);
  }
  return [...failures].map(([service, text]) => {
    const whole = text.join('\n').trimEnd();
    return { service, whole, reason: whole.slice(whole.indexOf(': ') + 2) };
  });
}
