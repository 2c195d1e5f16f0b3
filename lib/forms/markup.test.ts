import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const APP = join(import.meta.dirname, '../../app')

it('every form of the app is written with Form, which is sent by POST to its own page', () => {
  const files = readdirSync(APP, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'))
  const found = files.filter((file) => /<form\b|formAction|formMethod/.test(readFileSync(join(APP, file), 'utf8')))
  expect(found).toEqual(['_ui/base/form.tsx'])
  expect(readFileSync(join(APP, '_ui/base/form.tsx'), 'utf8')).toMatch(/<form \{\.\.\.rest\} method="post"/)
})
