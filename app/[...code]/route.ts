import { codeResponse } from '@/lib/api/web'

/**
 * Redirects where server.ts does not own the socket: `next dev`, `next start`, serverless hosts.
 * The decision is the lane's own.
 */
export const DELETE = codeResponse
export const GET = codeResponse
export const HEAD = codeResponse
export const OPTIONS = codeResponse
export const PATCH = codeResponse
export const POST = codeResponse
export const PUT = codeResponse
