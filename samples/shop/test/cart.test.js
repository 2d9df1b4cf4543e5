import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cart } from '../src/cart.js';
import { format } from '../src/money.js';

test('a cart adds up its lines', () => {
  const cart = new Cart().add('pencil', 120, 2).add('notebook', 350);
  assert.equal(cart.pieces, 3);
  assert.equal(cart.total, 590);
});

test('the discount is for the whole order', () => {
  const cart = new Cart().add('pencil', 100, 30).add('notebook', 100, 30);
  assert.equal(cart.total, 5400);
});

test('money has two decimals and commas', () => {
  assert.equal(format(123456), '1,234.56');
  assert.equal(format(5), '0.05');
});
