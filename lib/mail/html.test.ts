import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { negotiate } from '@/lib/i18n/languages'
import { testBrand } from '@/lib/testing/brand'
import { htmlOf, textFootOf } from './html'

const BASE = 'https://go.example.com'
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000300000001808060000005c72a866', 'hex')

const tagsOf = (html: string) => [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/href="[^"]*"/, 'href'))

describe('a mail', () => {
  it('says whose it is, in HTML and in plain text', () => {
    const brand = testBrand({ BRAND_NAME: 'Acme', BRAND_COLOR: '#0a1a4a', BRAND_LINKS: [{ label: 'Imprint', url: '/imprint' }] })
    const html = htmlOf('Hello', brand, BASE, negotiate(''))
    expect(html).toContain('</span>Acme</p>')
    expect(html).toContain('background:#0a1a4a')
    expect(html).toContain('Acme makes long links short.<br>')
    expect(html).toMatch(/<a href="https:\/\/go\.example\.com\/imprint"[^>]*>Imprint<\/a>/)
    expect(textFootOf(brand, BASE, negotiate(''))).toBe(
      `\n\n-- \nAcme makes long links short. ${BASE}\nImprint: https://go.example.com/imprint\n`,
    )
  })

  it('gives a name and a link nothing of their own to say', () => {
    const nasty = testBrand({
      BRAND_NAME: `<script>alert('1')</script> "A" & B`,
      BRAND_LINKS: [{ label: `<img src=x onerror="alert(1)">`, url: 'https://example.com/?"><script>' }],
    })
    const harmless = testBrand({ BRAND_NAME: 'A', BRAND_LINKS: [{ label: 'B', url: 'https://example.com/' }] })
    const html = htmlOf('Hello', nasty, BASE, negotiate(''))
    expect(tagsOf(html)).toEqual(tagsOf(htmlOf('Hello', harmless, BASE, negotiate(''))))
    expect(html).toContain('&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &quot;A&quot; &amp; B')
  })

  it('shows a mark that is a PNG, and a tile in place of one that mail programs cannot draw', () => {
    const folder = mkdtempSync(join(tmpdir(), 'terse-mail-'))
    writeFileSync(join(folder, 'mark.png'), PNG)
    writeFileSync(join(folder, 'mark.svg'), '<svg xmlns="http://www.w3.org/2000/svg"></svg>')
    const [png, svg] = ['png', 'svg'].map((type) => testBrand({ BRAND_MARK: join(folder, `mark.${type}`) }))
    rmSync(folder, { recursive: true })
    expect(png && htmlOf('Hello', png, BASE, negotiate(''))).toMatch(
      /<img src="https:\/\/go\.example\.com\/assets\/mark\?v=[0-9a-f]{12}" width="48" height="24"/,
    )
    expect(svg && htmlOf('Hello', svg, BASE, negotiate(''))).not.toContain('<img')
  })
})
