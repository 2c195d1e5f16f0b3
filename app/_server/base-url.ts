import { connection } from 'next/server'
import { readConfig } from '@/lib/config'

/**
 * The public address of this installation, for server components. Known only while the app runs, so a page
 * that asks is rendered per request, never at build time.
 */
export async function baseUrl(): Promise<string> {
  await connection()
  return readConfig().BASE_URL
}
