const CODES: Readonly<Record<string, string>> = {
  '/sign-in/email': 'INVALID_EMAIL_OR_PASSWORD',
  '/sign-in/username': 'INVALID_USERNAME_OR_PASSWORD',
}

const MESSAGE =
  'The name or the password is wrong, or the address is not confirmed yet. After many wrong ones no password is taken for a while.'

/**
 * The one answer to a sign-in by password that fails, whatever it fails by: that a password is right for an address which
 * is not confirmed would tell who has just signed up with it that it had no account before.
 */
export function refusedSignIn(path: string): Response {
  return Response.json({ code: CODES[path], message: MESSAGE }, { status: 401 })
}

/** An answer of better-auth as it may be told. */
export async function toldOf(path: string, response: Response): Promise<Response> {
  if (!Object.hasOwn(CODES, path)) return response
  return response.status === 401 || (await isUnconfirmed(response)) ? refusedSignIn(path) : response
}

async function isUnconfirmed(response: Response): Promise<boolean> {
  if (response.status !== 403) return false
  const said: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  return (said as { code?: unknown } | null)?.code === 'EMAIL_NOT_VERIFIED'
}
