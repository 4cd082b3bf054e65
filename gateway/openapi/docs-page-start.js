/* global SwaggerUIBundle, window */

/** Shows the code samples of an operation (`x-codeSamples`), which the page does not know by itself, above its responses. */
const codeSamples = ({ React, specSelectors }) => ({
  wrapComponents: {
    responses: (Responses) => (props) => {
      const operation = specSelectors.specJson().getIn(['paths', props.path, props.method]);
      const samples = operation?.get('x-codeSamples')?.toJS() ?? [];
      const shown = samples.map(({ label, source }) =>
        React.createElement(
          'details',
          { key: label, className: 'opblock-section opblock-description-wrapper' },
          React.createElement('summary', null, label),
          React.createElement('pre', { className: 'example', tabIndex: 0 }, source),
        ),
      );
      return React.createElement(React.Fragment, null, ...shown, React.createElement(Responses, props));
    },
  },
});

window.ui = SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#swagger-ui',
  plugins: [codeSamples],
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
