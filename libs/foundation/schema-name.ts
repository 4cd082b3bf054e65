const names = new WeakMap<object, string>();

/** Names a schema, so that the OpenAPI document lists it once under this name and refers to it. */
export function named<S extends object>(name: string, schema: S): S {
  names.set(schema, name);
  return schema;
}

export function nameOf(schema: object): string | undefined {
  return names.get(schema);
}
