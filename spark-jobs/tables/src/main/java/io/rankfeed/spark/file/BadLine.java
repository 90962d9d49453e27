package io.rankfeed.spark.file;

import io.rankfeed.spark.file.UnfitValueException.Reason;
import java.io.Serializable;

/**
 * A line that is not a row, or a row of a file that is not like the others.
 *
 * @param reason it is counted by
 * @param file as a row's address has it
 * @param number from 0, blank lines counted
 * @param what is wrong with it
 * @param location the line for users: the source's name, the file and the line
 * @param text the line; empty where there is none
 */
public record BadLine(Reason reason, String file, long number, String what, String location, String text)
        implements Serializable {}
