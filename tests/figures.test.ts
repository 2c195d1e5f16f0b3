import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Machine } from '@/bench/machine'
import { withFigures } from '@/bench/readme'
import { type Row, withTable } from '@/bench/report'
import type { Plan } from '@/bench/world'

const { machine, plan, cases } = JSON.parse(readFileSync('bench/results/latest.json', 'utf8')) as {
  machine: Machine
  plan: Plan
  cases: Row[]
}

test('README.md has the figures of the last run of the benchmark', () => {
  const page = readFileSync('README.md', 'utf8')
  expect(withFigures(page, machine, cases)).toBe(page)
})

test('docs/benchmarks.md has the table of the last run of the benchmark', () => {
  const page = readFileSync('docs/benchmarks.md', 'utf8')
  expect(withTable(page, machine, plan, cases)).toBe(page)
})
