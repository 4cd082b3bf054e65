/** What the person has chosen in this browser, if it is one of `choices`. */
export function storedChoice<Choice extends string>(
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const stored = localStorage.getItem(`saring.${name}`);
  return choices.find((choice) => choice === stored);
}

export function storeChoice(name: string, choice: string): void {
  localStorage.setItem(`saring.${name}`, choice);
}
