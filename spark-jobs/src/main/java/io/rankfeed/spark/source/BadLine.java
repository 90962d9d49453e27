package io.rankfeed.spark.source;

import java.io.Serializable;

/**
 * A line that is no row.
 *
 * @param file as a row's address has it
 * @param number from 0, blank lines counted
 * @param what is wrong with it
 * @param place the line for people, by the source's name
 */
public record BadLine(String file, long number, String what, String place, String text) implements Serializable {}
