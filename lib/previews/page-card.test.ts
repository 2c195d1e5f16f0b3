import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cardOf } from './page-card'
import { MOST_DESCRIPTION, MOST_TITLE } from './values'

const AT = new URL('https://example.com/a/page')
const card = (html: string | Uint8Array, type = 'text/html; charset=utf-8') =>
  cardOf(typeof html === 'string' ? Buffer.from(html) : html, type, AT)
const titled = (bytes: readonly (string | number)[]) =>
  Uint8Array.from(bytes.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : [part])))

describe('what a page says of itself', () => {
  it('is its Open Graph tags, then those for X, then its title and description', async () => {
    const og =
      '<meta property="og:title" content="OG"><meta property="og:description" content="og text"><meta property="og:image" content="/i.png">'
    const x =
      '<meta name="twitter:title" content="X"><meta name="twitter:description" content="x text"><meta name="twitter:image" content="https://x.example/i.png">'
    const plain = '<title>Plain</title><meta name="description" content="plain text">'
    expect(await card(`<head>${plain}${x}${og}</head>`)).toEqual({
      title: 'OG',
      description: 'og text',
      image: 'https://example.com/i.png',
    })
    expect(await card(plain + x)).toEqual({ title: 'X', description: 'x text', image: 'https://x.example/i.png' })
    expect(await card(plain)).toEqual({ title: 'Plain', description: 'plain text', image: null })
    expect(await card('<meta name="description" content="no title">')).toBeNull()
  })

  it('is read from the head alone, where visitors of the page cannot write', async () => {
    expect(await card('<head></head><body><meta property="og:title" content="comment">')).toBeNull()
    expect((await card('<title>Real</title><body><meta property="og:title" content="comment">'))?.title).toBe('Real')
    expect((await card('<svg><title>icon</title></svg><title>Real</title>'))?.title).toBe('Real')
    expect((await card('<!-- <title>No</title> --><script>"<title>No</title>"</script><title>Yes</title>'))?.title).toBe('Yes')
  })

  it('is one line of text: entities are read, and what turns text around or is not seen is taken out', async () => {
    expect((await card('<title> a &amp;\n &lt;b&gt; &#x202e;c\u2066d\u0000 </title>'))?.title).toBe('a & <b> cd')
    expect(await card('<title>\u200b\u2066</title>')).toBeNull()
  })

  it('has its bounds, and cuts no character in two', async () => {
    const long = await card(`<title>${'😀'.repeat(300)}</title><meta name="description" content="${'é'.repeat(100_000)}">`)
    expect([...(long?.title ?? '')]).toHaveLength(MOST_TITLE)
    expect(long?.title.endsWith('😀…')).toBe(true)
    expect([...(long?.description ?? '')]).toHaveLength(MOST_DESCRIPTION)
  })

  it.each([
    'javascript:alert(1)',
    'data:image/png;base64,AA',
    'file:///etc/passwd',
    'https://me:pw@example.com/i',
    `https://e.com/${'a'.repeat(3_000)}`,
    'http://',
  ])('has no image at %s', async (image) => {
    expect(await card(`<title>a</title><meta property="og:image" content="${image}">`)).toEqual({
      title: 'a',
      description: '',
      image: null,
    })
  })

  it('is read in the encoding that the page has', async () => {
    expect((await card(titled(['<title>caf', 0xe9, '</title>']), 'text/html; charset=iso-8859-1'))?.title).toBe('café')
    expect((await card(titled(['<meta charset="windows-1251"><title>', 0xcf, 0xf0, '</title>']), 'text/html'))?.title).toBe('Пр')
    expect(
      (await card(titled(['<meta charset=shift_jis><title>', 0x93, 0xfa, 0x96, 0x7b, '</title>']), 'text/html'))?.title,
    ).toBe('日本')
    const gb = '<meta http-equiv="Content-Type" content="text/html; charset=gb2312"><title>'
    expect((await card(titled([gb, 0xd6, 0xd0, '</title>']), 'text/html'))?.title).toBe('中')
    expect((await card(Buffer.from('\ufeff<title>é</title>'), 'text/html; charset=iso-8859-1'))?.title).toBe('é')
    expect(
      (await card(titled([0xff, 0xfe, ...[...'<title>é</title>'].flatMap((c) => [c.charCodeAt(0), 0])]), 'text/html'))?.title,
    ).toBe('é')
    // Nothing is said: UTF-8 if it is that, else what old pages have.
    expect((await card(Buffer.from('<title>é</title>'), 'text/html'))?.title).toBe('é')
    expect((await card(titled(['<title>', 0xe9, '</title>']), 'text/html'))?.title).toBe('é')
    expect((await card(Buffer.from('<title>é</title>'), 'text/html; charset=nonsense'))?.title).toBe('é')
  })

  it('is found or not, whatever bytes come', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), fc.string(), async (bytes, type) => {
        const found = await card(bytes, type)
        if (found) expect([...found.title].length).toBeLessThanOrEqual(MOST_TITLE)
      }),
    )
  })

  it('takes no time that grows faster than the page', async () => {
    for (const piece of ['<meta ', '<title>', '<', '<meta a="', '&#x', '<svg>', '<meta property=og:title content=']) {
      const begun = performance.now()
      await card(piece.repeat(Math.ceil((512 * 1024) / piece.length)))
      expect(performance.now() - begun).toBeLessThan(1_000)
    }
  })
})
