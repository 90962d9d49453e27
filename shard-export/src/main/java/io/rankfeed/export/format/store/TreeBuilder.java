package io.rankfeed.export.format.store;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * Builds a B+ tree from the leaves up: leaves are filled in the order of their keys, then each level of branch pages is
 * written after the one below it. The last page is the root. LMDB asserts that a branch page has two children, so a last
 * page with one takes another from its neighbor.
 */
final class TreeBuilder {
    private final OutputStream out;
    private final Page leaf = new Page(Page.LEAF);

    /** The first key of each page of the lowest level without a parent. The numbers of these pages are consecutive. */
    private long[] firstKeys = new long[64];

    private int pages;
    private long firstPage;
    private long nextPage;
    private int leafPages;
    private int branchPages;
    private int depth = 1;

    /** @param firstLeaf the number of the first leaf */
    TreeBuilder(OutputStream out, long firstLeaf) {
        this.out = out;
        firstPage = firstLeaf;
        nextPage = firstLeaf;
    }

    /** The leaf that gets the next node; it is written when a node has no room. */
    Page leafFor(long key, int nodeBytes) throws IOException {
        if (!leaf.hasRoom(nodeBytes)) {
            leaf.writeTo(out, nextPage++);
        }
        if (leaf.isEmpty()) {
            if (pages == firstKeys.length) {
                firstKeys = Arrays.copyOf(firstKeys, Math.multiplyExact(2, pages));
            }
            firstKeys[pages++] = key;
        }
        return leaf;
    }

    /** Writes the last leaf and the branch pages. */
    void finish() throws IOException {
        leaf.writeTo(out, nextPage++);
        leafPages = pages;
        while (pages > 1) {
            addLevel();
            depth++;
        }
    }

    /** The root, which is the last page. */
    long root() {
        return nextPage - 1;
    }

    private void addLevel() throws IOException {
        long levelStart = nextPage;
        Page branch = new Page(Page.BRANCH);
        byte[] key = LmdbKeys.buffer();
        int parents = 0;
        int child = 0;
        while (child < pages) {
            int first = child;
            // The first key of a branch page is never compared, and LMDB leaves it out.
            branch.addBranch(key, 0, firstPage + child++);
            while (child < pages && branch.hasRoom(Page.nodeBytes(LmdbKeys.put(firstKeys[child], key), 0))) {
                if (child == pages - 2 && !hasRoomForBoth(branch, child, key)) {
                    break; // The last two children share a page.
                }
                int keyBytes = LmdbKeys.put(firstKeys[child], key);
                branch.addBranch(key, keyBytes, firstPage + child++);
            }
            branch.writeTo(out, nextPage++);
            firstKeys[parents++] = firstKeys[first];
        }
        branchPages += parents;
        firstPage = levelStart;
        pages = parents;
    }

    private boolean hasRoomForBoth(Page branch, int child, byte[] key) {
        int both = Page.nodeBytes(LmdbKeys.put(firstKeys[child], key), 0)
                + Page.nodeBytes(LmdbKeys.put(firstKeys[child + 1], key), 0);
        return branch.hasRoom(both);
    }

    int depth() {
        return depth;
    }

    int branchPages() {
        return branchPages;
    }

    int leafPages() {
        return leafPages;
    }
}
