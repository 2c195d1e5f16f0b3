import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

const APP = join(import.meta.dirname, '../../app')

/** The path of every page of app/, with its parameters as Next.js writes them: `/invite/[token]`. */
export function allPages(): string[] {
  return readdirSync(APP, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name === 'page.tsx')
    .map(({ parentPath }) => `/${relative(APP, parentPath)}`)
    .sort()
}

/** A page's path with its parameters filled in. @throws for a parameter that nobody has given a value */
export function pathOf(page: string, parameters: Record<string, string>): string {
  return page.replace(/\[(?:\.\.\.)?(\w+)\]/g, (_, name: string) => {
    const value = parameters[`${page} ${name}`]
    if (value === undefined) throw new Error(`${page}: say in this test what stands for “${name}”`)
    return value
  })
}
