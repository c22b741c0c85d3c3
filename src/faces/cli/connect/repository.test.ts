import { describe, expect, it } from 'vitest';
import { projectName, remoteName } from './repository.ts';

describe('the name of a repository', () => {
  it.each([
    ['https://user:secret@github.com/acme/Shop.git', 'github.com/acme/Shop'],
    ['git@github.com:acme/shop.git', 'github.com/acme/shop'],
    ['ssh://git@host.example:2222/team/a/b.git/', 'host.example/team/a/b'],
    ['https://github.com/acme/shop?token=x', 'github.com/acme/shop'],
    ['/srv/git/shop.git', undefined],
    ['C:\\git\\shop', undefined],
  ])('%s is that of its origin without anything secret: %s', (url, name) => {
    expect(remoteName(url)).toBe(name);
  });

  it.each([
    ['/home/me/My Shop!', undefined, 'my-shop'],
    ['/home/me/x', 'github.com/acme/Läden', 'laden'],
    ['/home/me/日本', undefined, 'project'],
    ['/home/me/..', undefined, 'project'],
    [`/home/me/${'a'.repeat(300)}`, undefined, 'a'.repeat(60)],
  ])('%s with origin %s becomes the project %s', (root, remote, name) => {
    expect(projectName({ root }, remote)).toBe(name);
  });
});
