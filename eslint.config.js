import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['node_modules/', 'proto/gen/', '.saring/'] },
  { files: ['**/*.js'], extends: [tseslint.configs.base] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { group: ['../../*'], message: 'Leave a room by its #name import, not by climbing the tree.' },
          ],
        },
      ],
    },
  },
);
