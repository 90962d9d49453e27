/**
 * Where rows come from: Parquet, Hive, Delta, JSON lines, Petastorm, folders of files. Each source becomes a view, its identity
 * for the manifest and, where it can, a stable address for every row.
 *
 * <p>Not here: formats (the packages below) and what is made of the rows ({@code prepare}).
 *
 * <p>Step A of docs/data-flow.md.
 */
@NullMarked
package io.rankfeed.spark.source;

import org.jspecify.annotations.NullMarked;
