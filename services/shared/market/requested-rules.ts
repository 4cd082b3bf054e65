import { FIELDS } from '#fields/catalogue/catalogue.ts';
import { parseRules } from '#fields/rules/parse-rules.ts';
import { readRules } from '#fields/rules/read-rules.ts';
import { RulesError } from '#fields/rules/rules-error.ts';
import type { Rules } from '#fields/rules/rules.ts';
import { invalidRequest } from '../invalid-request.ts';
import type { FieldError } from '../service-error.ts';

/**
 * The rules of a request, a line of text or an object, in normal form.
 * @throws ServiceError invalid_request that names the column of the text, or the member of the object
 */
export function rulesOf(sent: unknown): Rules {
  try {
    return typeof sent === 'string' ? parseRules(sent, FIELDS) : readRules(sent, FIELDS);
  } catch (error) {
    if (error instanceof RulesError) throw invalidRequest([mistakeOf(error)]);
    throw error;
  }
}

/** `ctx` says which mistake it is, so that it can be shown in any language. */
function mistakeOf({ place, mistake: { code, params }, message, reason }: RulesError): FieldError {
  const type = 'value_error';
  const mistake = { mistake: code, params };
  if ('column' in place)
    return { loc: ['rules'], msg: message, type, ctx: { column: place.column, ...mistake } };
  return { loc: ['rules', ...place.path], msg: reason, type, ctx: mistake };
}
