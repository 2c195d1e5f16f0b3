import type { ServerProcess } from './processes'

const BASE_URL = 'http://bench.example'
const ACCOUNT = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'only for the benchmark' }
/** Settings of an app that has an admin. */
export const WITH_ADMIN = { BASE_URL, ...ACCOUNT }

/** Headers of requests to the API by that admin. */
export async function signIn({ origin }: ServerProcess): Promise<{ Cookie: string; Origin: string }> {
  const answer = await fetch(`${origin}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: BASE_URL },
    body: JSON.stringify({ email: ACCOUNT.ADMIN_EMAIL, password: ACCOUNT.ADMIN_PASSWORD }),
  })
  if (!answer.ok) throw new Error(`sign-in: ${answer.status} ${await answer.text()}`)
  const cookies = answer.headers.getSetCookie().map((header) => header.split(';')[0])
  return { Cookie: cookies.join('; '), Origin: BASE_URL }
}
