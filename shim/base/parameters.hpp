// SPDX-License-Identifier: MIT
// Lists made of the names in a row of a table: MPIGRAFT_LIST(X, a, b, c) is X(a), X(b), X(c), for up to 15 names. Each
// scan by the preprocessor makes one element.
#pragma once

#define MPIGRAFT_LIST(X, ...) __VA_OPT__(MPIGRAFT_SCAN_16(MPIGRAFT_LIST_OF(X, __VA_ARGS__)))
#define MPIGRAFT_LIST_OF(X, first, ...) X(first) __VA_OPT__(, MPIGRAFT_LIST_REST MPIGRAFT_NOTHING(X, __VA_ARGS__))
#define MPIGRAFT_LIST_REST() MPIGRAFT_LIST_OF
#define MPIGRAFT_NOTHING ()
#define MPIGRAFT_SCAN_16(...) MPIGRAFT_SCAN_4(MPIGRAFT_SCAN_4(MPIGRAFT_SCAN_4(MPIGRAFT_SCAN_4(__VA_ARGS__))))
#define MPIGRAFT_SCAN_4(...) MPIGRAFT_SCAN(MPIGRAFT_SCAN(MPIGRAFT_SCAN(MPIGRAFT_SCAN(__VA_ARGS__))))
#define MPIGRAFT_SCAN(...) __VA_ARGS__
