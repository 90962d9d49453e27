/**
 * The files that the lanes of a version over a dataset refer to (docs/adr/0012-import.md): their list, whether they are still those of the
 * import, and their bytes, mapped or read.
 *
 * <p>Not here: lanes and their references ({@code cache}), and where references are resolved ({@code batch}).
 */
@NullMarked
package io.rankfeed.feeder.external;

import org.jspecify.annotations.NullMarked;
