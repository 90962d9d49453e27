/**
 * The quickstart: runs the commands of jobs and feeder one after the other, as a user would. Whatever another command needs does not
 * belong here.
 */
@NullMarked
package io.rankfeed.feeder.quickstart;

import org.jspecify.annotations.NullMarked;
