/** One field that the server refused: where it is in the body, and why. */
export interface FieldProblem {
  path: string
  message: string
}

/** What the server answered instead of what was asked for: problem details (RFC 9457), or no answer that can be read. */
export class TerseError extends Error {
  override readonly name: string = 'TerseError'

  /**
   * @param status the HTTP status; 0 when there was no answer
   * @param code stays the same across releases, such as `validation_failed`; `unreachable` when there was no answer
   * @param fields what was refused, where the request was understood
   * @param requestId by which the operator finds the request in the log
   * @param retryAfter in seconds, where the server said so
   */
  constructor(
    message: string,
    readonly status: number,
    readonly code: string,
    readonly fields: readonly FieldProblem[] = [],
    readonly requestId?: string,
    readonly retryAfter?: number,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** What an answer that is no success says. */
export async function problemOf(response: Response): Promise<TerseError> {
  const { status } = response
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const retryAfter = Number.isFinite(seconds) ? seconds : undefined
  const body = await readJson(response)
  if (body === undefined || typeof body.detail !== 'string' || typeof body.code !== 'string') {
    const message = `The server answered ${status} ${response.statusText}, and not as a Terse server does. Check its address.`
    return new TerseError(message, status, 'not_terse', [], undefined, retryAfter)
  }
  const fields = Array.isArray(body.errors) ? body.errors.filter(isFieldProblem) : []
  const requestId = typeof body.requestId === 'string' ? body.requestId : undefined
  return new TerseError(body.detail, status, body.code, fields, requestId, retryAfter)
}

async function readJson(response: Response): Promise<Record<string, unknown> | undefined> {
  try {
    const body: unknown = JSON.parse(await response.text())
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function isFieldProblem(value: unknown): value is FieldProblem {
  if (typeof value !== 'object' || value === null) return false
  const { path, message } = value as Record<string, unknown>
  return typeof path === 'string' && typeof message === 'string'
}
